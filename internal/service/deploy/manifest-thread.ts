/**
 * The thread that reads long manifests. It answers each question with one message, as JSON: the main thread reads 5 MB of it,
 * which aliases can make of a manifest, in a quarter of the time of a structured clone.
 */
import { parentPort } from 'node:worker_threads'
import { answerQuestion, type ManifestQuestion } from '#core/manifest/question.ts'

parentPort?.on('message', (question: ManifestQuestion) => {
  parentPort?.postMessage(JSON.stringify(answerQuestion(question)))
})
