/** What Trusted Types give a page that declares a policy; not every browser has them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;

const policy = types?.createPolicy('playground', {
  createScriptURL(url) {
    if (new URL(url, document.baseURI).origin !== location.origin) throw new TypeError('scripts come from the page itself');
    return url;
  },
});

/** The address of a script of this page, as workers are made from: the only place where text becomes one. */
export function ownScript(url: string): string {
  return policy ? policy.createScriptURL(url) : url;
}
