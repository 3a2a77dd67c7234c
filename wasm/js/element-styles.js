/** Everything that a page may want otherwise is a variable or a part. */
export const styles = `
:host {
  --tool-calls-muted: color-mix(in srgb, currentColor 62%, transparent);
  --tool-calls-faint: color-mix(in srgb, currentColor 12%, transparent);
  --tool-calls-danger: light-dark(#b3261e, #ff8a80);
  --tool-calls-accent: light-dark(#2457c5, #8ab4ff);
  --tool-calls-mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --tool-calls-gap: 0.25rem;
  --tool-calls-radius: 0.5rem;
  display: block;
  font-size: 0.875rem;
  line-height: 1.5;
}
:host([hidden]) { display: none }
ol { list-style: none; margin: 0; padding: 0 }
[part='list'], [part='calls'] { display: grid; gap: var(--tool-calls-gap) }
details > [part='calls'] { margin-inline-start: 0.5rem; padding-inline-start: 0.75rem; border-inline-start: 1px solid var(--tool-calls-faint); margin-block-start: var(--tool-calls-gap) }
[part='call'], summary { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 0.5rem; min-width: 0 }
[part='run'] { list-style: none; min-width: 0 }
summary { cursor: pointer; border-radius: var(--tool-calls-radius); list-style: none }
summary::-webkit-details-marker { display: none }
summary::after { content: '›'; color: var(--tool-calls-muted); transition: rotate 0.15s }
details[open] > summary::after { rotate: 90deg }
summary:focus-visible { outline: 2px solid var(--tool-calls-accent); outline-offset: 2px }
[part='icon'] { flex: none; inline-size: 1em; block-size: 1em; align-self: center; color: var(--tool-calls-muted) }
[part='verb'], [part='line'] { font-weight: 500 }
[part='subject'] { min-width: 0; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--tool-calls-muted); unicode-bidi: isolate }
code[part='subject'] { font-family: var(--tool-calls-mono); font-size: 0.9em }
[part='state'], [part='duration'] { color: var(--tool-calls-muted); font-variant-numeric: tabular-nums; white-space: nowrap }
[data-state='failed'] > [part='state'], [data-state='failed'] > [part='icon'], [part='error'] { color: var(--tool-calls-danger) }
[data-state='in_progress'] > [part='icon'], [data-state='in_progress'] > [part='state'] { color: var(--tool-calls-accent) }
[part='error'] { flex-basis: 100%; margin: 0 0 0 1.5em; white-space: pre-wrap; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden }
[part='said'] { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (prefers-reduced-motion: no-preference) {
  [data-state='in_progress'] > [part='icon'] { animation: tool-calls-pulse 1.6s ease-in-out infinite }
}
@media (prefers-reduced-motion: reduce) {
  summary::after { transition: none }
}
@keyframes tool-calls-pulse { 50% { opacity: 0.35 } }
`;
