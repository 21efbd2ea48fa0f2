/** Adapts the thread that ends overdue jobs to the interface of the sandbox. */
import { startThread } from '#platform/thread.ts'
import { createDeadlines, type Deadlines } from '#sandbox/host/deadlines.ts'

/** Starts the thread that kills guests at their deadlines, even while the main thread is busy. */
export const startDeadlineThread = (): Deadlines =>
  createDeadlines((memory) => {
    const thread = startThread('deadline', memory)
    // the pool stops the thread; until then it must not keep a command from exiting
    thread.unref()
  })
