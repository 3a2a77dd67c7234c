import { answers } from '../answers.mjs';

export default {
  fetch: () => Response.json(answers()),
};
