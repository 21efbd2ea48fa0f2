/** Adapts the thread that reads manifests to the interface of the service. */
import { createLogger } from '#log/logtape.ts'
import { startThread } from '#platform/thread.ts'
import {
  createManifestReader,
  type ManifestReader,
  type StartManifestThread,
} from '#service/deploy/manifest-reader.ts'

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

/** Opens a reader, which starts its threads when it needs them. */
export const openManifestReader = (): ManifestReader => createManifestReader(startManifestThread)

/** The reader of the process, for requests and workers. */
export const manifestReader = openManifestReader()
