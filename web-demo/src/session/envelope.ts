import type { CallRecord, CanonicalToolMeta } from 'toolprism';

/** The envelope of a call: the members that the record has of it. */
export function envelopeOf({ name, kind, namespace, label, read_only, input }: CallRecord): CanonicalToolMeta {
  const envelope: CanonicalToolMeta = { version: 1, name, kind, namespace, label, read_only };
  return input ? { ...envelope, input } : envelope;
}
