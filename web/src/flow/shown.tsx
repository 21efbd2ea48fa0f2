/** What an approval shows to people before they decide: its description and selected data. */
import type { Schemas } from '#sdk/client.ts'
import { JsonView } from '../ui/code/json-view.tsx'
import { Facts } from '../ui/facts.tsx'
import styles from './shown.module.css'

type ShownProps = Pick<Schemas['WaitingApproval'], 'description' | 'show'>

export const Shown = ({ description, show }: ShownProps) => (
  <>
    {description === null ? null : <p className={styles.description}>{description}</p>}
    {show.length === 0 ? null : (
      <Facts
        facts={show.map(({ label, value }) => [
          label,
          typeof value === 'object' && value !== null ? (
            <JsonView key={label} value={value} />
          ) : (
            String(value)
          ),
        ])}
      />
    )}
  </>
)
