/** A command with a button to copy it. */
import styles from './command-line.module.css'
import { CopyButton } from './copy-button.tsx'

export const CommandLine = ({ command }: Readonly<{ command: string }>) => (
  <div className={styles.line}>
    <code>{command}</code>
    <CopyButton text={command} />
  </div>
)
