/** A commit, short: of git, or the hash of uploaded files. Whole on hover. */
const SHORT = 10

export const shortCommit = (commit: string): string =>
  commit.replace(/^sha256:/, '').slice(0, SHORT)

export const CommitId = ({ commit }: Readonly<{ commit: string | null }>) =>
  commit === null ? '–' : <code title={commit}>{shortCommit(commit)}</code>
