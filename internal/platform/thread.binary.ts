/** Starts a thread from its bundled text in the binary's assets, which thread-entry.binary.ts runs. */
import { getAsset } from 'node:sea'
import { Worker } from 'node:worker_threads'
import type { ThreadName } from './thread-name.ts'

/** @param workerData passed to the thread as `workerData` of node:worker_threads */
export const startThread = (name: ThreadName, workerData: unknown): Worker =>
  new Worker(getAsset('thread.js', 'utf8'), { workerData, argv: [name], eval: true })
