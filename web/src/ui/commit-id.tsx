/** A shortened commit. The tooltip shows it in full. */
import { shortCommit } from './short-commit.ts'

export const CommitId = ({ commit }: Readonly<{ commit: string | null }>) =>
  commit === null ? '–' : <code title={commit}>{shortCommit(commit)}</code>
