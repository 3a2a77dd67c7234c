import { answers } from '../answers.mjs';
import Client from './client';

// Not once, as it is built, but for each request.
export const dynamic = 'force-dynamic';

export default () => (
  <>
    <p id="server">{JSON.stringify(answers())}</p>
    <Client />
  </>
);
