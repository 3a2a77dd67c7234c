// Only one of the modules is used here: a page must not load the others.
import { identify } from 'toolprism';

const { label } = identify({ harness: 'claude_code', name: 'Bash' });
document.body.dataset.result = JSON.stringify({ label });
