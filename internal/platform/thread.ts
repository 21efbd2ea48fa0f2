/** Starts a thread from its source file. The binary takes thread.binary.ts in this file's place. */
import { Worker } from 'node:worker_threads'
import { THREAD_SOURCES, type ThreadName } from './thread-name.ts'

/** @param workerData what the thread finds under that name in node:worker_threads */
export const startThread = (name: ThreadName, workerData: unknown): Worker =>
  new Worker(new URL(`../${THREAD_SOURCES[name]}`, import.meta.url), { workerData })
