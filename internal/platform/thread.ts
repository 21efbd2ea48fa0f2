/** Starts a thread from its source file. The binary uses thread.binary.ts instead. */
import { Worker } from 'node:worker_threads'
import { THREAD_SOURCES, type ThreadName } from './thread-name.ts'

/** @param workerData passed to the thread as `workerData` of node:worker_threads */
export const startThread = (name: ThreadName, workerData: unknown): Worker =>
  new Worker(new URL(`../${THREAD_SOURCES[name]}`, import.meta.url), { workerData })
