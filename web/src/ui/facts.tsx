/** Names with their values, and the card around a part of a page. */
import { type ReactNode, useId } from 'react'
import styles from './facts.module.css'

/** A row. It is left out if its value is null. */
export type Fact = readonly [name: string, value: ReactNode]

export const Facts = ({ facts }: Readonly<{ facts: readonly Fact[] }>) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) =>
      value === null ? null : (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)

export const Card = ({
  title,
  children,
  actions,
}: Readonly<{ title: string; children: ReactNode; actions?: ReactNode }>) => {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
