// What the answers of the finalizer mean, in words.

import type { Change, Reason, Verdict } from 'toolprism';

export const outcomes: Record<Verdict['outcome'], { title: string; text: string }> = {
  pass: { title: 'Pass', text: 'The call may run as it is.' },
  rewrite: { title: 'Rewrite', text: 'The call may run with the arguments below.' },
  reject: { title: 'Reject', text: 'The call must not run. The model can be told what is wrong.' },
  unrepairable: { title: 'Unrepairable', text: 'The call cannot be made valid.' },
};

const reasons: Record<Reason, string> = {
  valid_pass_through: 'Nothing is wrong with it.',
  syntax_repaired: 'The text was no JSON, or did not fit, and has one reading that does.',
  tool_name_normalized: 'The tool’s name was spelt otherwise.',
  property_renamed: 'A member’s name was spelt otherwise.',
  default_inserted: 'A missing member has a default.',
  const_inserted: 'A missing member can have one value only.',
  enum_inserted: 'A missing member can have one value only.',
  additional_property_removed: 'A member that is not allowed was left out.',
  ambiguous_tool_name: 'Several tools could be meant.',
  ambiguous_property: 'Several members could be meant.',
  unrepairable: 'It has no reading, or more than one.',
  schema_invalid: 'The arguments do not fit the schema.',
  schema_unsupported: 'The tool’s schema cannot be used.',
  args_too_large: 'The arguments are too long to be judged.',
  scalar_coercion_disabled: 'A value would have to change its type, which is switched off.',
  canceled: 'The call was cancelled.',
};

export function reasonText(reason: Reason): string {
  return reasons[reason] ?? reason;
}

const severities: Record<Change['severity'], string> = {
  lossless: 'another spelling of the same',
  noise: 'text around it was left out',
  scalar: 'a value has the type that the schema wants',
  shape: 'wrapped, unwrapped, renamed, or left out',
  inserted: 'a value was added',
};

export function severityText(severity: Change['severity']): string {
  return severities[severity] ?? severity;
}
