import { CopyButton } from './copy-button.tsx'
import styles from './copyable-id.module.css'

/** An id in full, with a button that copies it. */
export const CopyableId = ({ id }: Readonly<{ id: string }>) => (
  <span className={styles.id}>
    <code>{id}</code>
    <CopyButton text={id} />
  </span>
)
