/** Adapts the thread that reads manifests to the interface of the service. */
import { createLogger } from '#log/logtape.ts'
import { startThread } from '#platform/thread.ts'
import { createManifestReader, type StartManifestThread } from '#service/manifest-reader.ts'

const startManifestThread: StartManifestThread = ({ onAnswer, onEnd }) => {
  const thread = startThread('manifest', null)
  // an idle thread must not keep a command from exiting
  thread.unref()
  thread.on('message', (answer: string) => onAnswer(JSON.parse(answer)))
  // an error without a listener would end the node
  thread.on('error', (error) =>
    createLogger('node').warn('The thread that reads manifests failed.', { error }),
  )
  thread.once('exit', onEnd)
  return {
    ask: (question) => thread.postMessage(question),
    stop: () => void thread.terminate(),
  }
}

/** The reader of the process. It starts its thread for the first long manifest. */
export const manifestReader = createManifestReader(startManifestThread)
