/** The parser's warnings, each with a link to its entry. */
import { useLanguage } from '../../language/language.ts'
import { useMessages } from '../../language/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { type Parsed, pageOf } from './entries.ts'
import styles from './fields.module.css'
import { KOREAN_FINDINGS } from './korean-findings.ts'
import { messages } from './messages.ts'

type DiagnosticsProps = Readonly<{ parsed: Parsed; onShow: (id: string) => void }>

export const Diagnostics = ({ parsed, onShow }: DiagnosticsProps) => {
  const t = useMessages(messages)
  const language = useLanguage()
  const { errors, warnings, metrics } = parsed.data.diagnostics
  const groups = [
    { title: t.errors, findings: errors },
    { title: t.warnings, findings: warnings },
  ].filter(({ findings }) => findings.length > 0)
  return (
    <div className={styles.fields}>
      {groups.length === 0 ? <p className="quiet">{t.noFindings}</p> : null}
      {groups.map(({ title, findings }) => (
        <section key={title} className={styles.section}>
          <h2>{title}</h2>
          <ul className={styles.findings}>
            {findings.map(({ code, message, entry_id }) => (
              <li key={`${code} ${entry_id ?? ''} ${message}`}>
                {language === 'ko' ? <strong>{KOREAN_FINDINGS[code]}</strong> : null}
                <span>{message}</span>
                <span>
                  <code>{code}</code>{' '}
                  {entry_id === null || pageOf(entry_id) === null ? null : (
                    <Button look="quiet" onClick={() => onShow(entry_id)}>
                      {entry_id}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section className={styles.section}>
        <h2>{t.metrics}</h2>
        <Facts facts={Object.entries(metrics).map(([name, value]) => [name, value] as const)} />
      </section>
    </div>
  )
}
