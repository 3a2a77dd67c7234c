import { identify } from 'toolprism';

const call = identify({
  harness: "codex",
  name: "apply_patch",
  raw_input: {
    "input": "*** Begin Patch\n*** Update File: src/lib.rs\n@@\n-old\n+new\n*** End Patch"
  },
});
console.log(call.label, call.why, call.input);