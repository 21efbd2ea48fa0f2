/** Shows an error `{name, message}` as text, and anything else as JSON. */
import type { Json } from '#sdk/mod.ts'
import { useLanguage } from '../language/language.ts'
import { toFailure } from '../language/server-sentence.ts'
import { JsonView } from './code/json-view.tsx'
import styles from './failure.module.css'
import { isObject } from './json-object.ts'

export const Failure = ({ error }: Readonly<{ error: Json }>) => {
  const language = useLanguage()
  if (!isObject(error) || typeof error.message !== 'string') return <JsonView value={error} />
  const { name, message, ...more } = error
  return (
    <>
      <p className={styles.failure}>
        <strong>{typeof name === 'string' ? name : null}</strong>
        <span>{toFailure(name, message, language)}</span>
      </p>
      {Object.keys(more).length === 0 ? null : <JsonView value={more} />}
    </>
  )
}
