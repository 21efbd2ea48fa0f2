/** Adapts the thread of the embedded replica to the interface of the store. */
import { quietLibsql } from '#platform/quiet-libsql.ts'
import { startThread } from '#platform/thread.ts'
import { orAfter } from '#service/or-after.ts'
import type { ReplicaAnswer, ReplicaThread } from '#store/backends/replica.ts'

export type ReplicaThreadOptions = Readonly<{
  path: string
  url: string
  authToken?: string
  maxAgeMs: number
}>

/** Milliseconds to wait for the thread's end, because a call of the binding may hang. */
const STOP_WITHIN_MS = 2_000

/** Starts the thread that holds the connection of the embedded replica. */
export const startReplicaThread = (options: ReplicaThreadOptions): ReplicaThread => {
  quietLibsql()
  const thread = startThread('replica', options)
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  return {
    ask: (question) => thread.postMessage(question),
    onAnswer: (listener) => {
      thread.on('message', (answer: ReplicaAnswer) => listener(answer))
    },
    stop: async () => {
      thread.postMessage('stop')
      await orAfter(ended, STOP_WITHIN_MS, undefined)
    },
  }
}
