/** Why the job or run of a row failed, in a few lines. */
import type { Schemas } from '#sdk/client.ts'
import { useLanguage } from '../language/language.ts'
import { toFailure } from '../language/server-sentence.ts'
import styles from './row-error.module.css'

export type RowErrorProps = Readonly<{ error: Schemas['Job']['error_summary'] | undefined }>

export const RowError = ({ error }: RowErrorProps) => {
  const language = useLanguage()
  if (error === undefined) return null
  const { name, message } = error
  const text = `${name}: ${toFailure(name, message, language)}`
  return <span className={styles.error}>{text}</span>
}
