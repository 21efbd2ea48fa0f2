/** Starts a thread from its source file. The binary takes thread.binary.ts in this file's place. */
import { Worker } from 'node:worker_threads'
import type { ThreadName } from './thread-name.ts'

const SOURCES: Readonly<Record<ThreadName, URL>> = {
  lease: new URL('../worker/lease-thread.ts', import.meta.url),
}

/** @param workerData what the thread finds under that name in node:worker_threads */
export const startThread = (name: ThreadName, workerData: unknown): Worker =>
  new Worker(SOURCES[name], { workerData })
