import { answers } from '../../answers.mjs';

export const runtime = 'edge';

export const GET = () => Response.json(answers());
