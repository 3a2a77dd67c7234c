import { answers } from '../answers.mjs';

postMessage(answers());
