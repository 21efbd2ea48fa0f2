/** The thread that ends jobs whose time is over, seen as the sandbox wants to see it. */
import { startThread } from '#platform/thread.ts'
import { createDeadlines, type Deadlines } from '#sandbox/host/deadlines.ts'

/** Starts the thread that kills guests at their deadlines, even while the main thread is busy. */
export const startDeadlineThread = (): Deadlines =>
  createDeadlines((memory) => {
    const thread = startThread('deadline', memory)
    // the pool stops it; until then it alone must not keep a command from ending
    thread.unref()
  })
