/** A shortened commit: a git hash, or the hash of uploaded files. The tooltip shows it in full. */
const SHORT = 10

export const shortCommit = (commit: string): string =>
  commit.replace(/^sha256:/, '').slice(0, SHORT)

export const CommitId = ({ commit }: Readonly<{ commit: string | null }>) =>
  commit === null ? '–' : <code title={commit}>{shortCommit(commit)}</code>
