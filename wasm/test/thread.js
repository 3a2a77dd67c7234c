import { parentPort } from 'node:worker_threads';
import { answers } from './answers.mjs';

parentPort.postMessage(answers());
