import { useLanguage } from './language.ts'
import { toServerSentence } from './server-sentence.ts'

/** Returns a translation of the server's reasons and faults into the reader's language. */
export const useServerSentence = (): ((sentence: string) => string) => {
  const language = useLanguage()
  return (sentence) => toServerSentence(sentence, language)
}
