'use client';
import { useEffect, useState } from 'react';
import { answers } from '../answers.mjs';

/** What the server has rendered, and what the browser says itself once it has taken over. */
export default function Client() {
  const [here, setHere] = useState(null);
  useEffect(() => setHere(JSON.stringify(answers())), []);
  return <p id="client" data-rendered={JSON.stringify(answers())} data-here={here} />;
}
