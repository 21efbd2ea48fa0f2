import styles from './target-name.module.css'

/** `app/key`. If it does not fit, the app is shortened, because the keys of one app differ at the end. The tooltip shows all. */
export const TargetName = ({ app, name }: Readonly<{ app: string; name: string }>) => (
  <span className={styles.target} title={`${app}/${name}`}>
    <span className={styles.app}>{app}</span>
    <span className={styles.name}>/{name}</span>
  </span>
)
