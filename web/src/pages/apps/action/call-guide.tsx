/** How other programs start the action: by the API, by webhook, by the command line. */
import type { Schemas } from '#sdk/client.ts'
import { exampleInput } from '../../../form/example-input.ts'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { useIdentity } from '../../../session/session.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

/** Quotes a text for a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

type CallGuideProps = Readonly<{ app: string; action: Schemas['Action'] }>

export const CallGuide = ({ app, action }: CallGuideProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const email = useIdentity() ?? 'you@example.com'
  const path = `${encodeURIComponent(app)}/${encodeURIComponent(action.key)}`
  const root = `${location.origin}/api/w/${encodeURIComponent(ws)}/jobs`
  const input = JSON.stringify(exampleInput(action.input_schema))
  const curl = (address: string, body: string): string =>
    `curl -sS ${quoted(address)} -H "authorization: Bearer $SVC_TOKEN" -H 'content-type: application/json' -d ${quoted(body)}`
  const ways = [
    {
      title: t.webhookAddress,
      text: action.input_schema === null ? t.webhookText : `${t.webhookText} ${t.webhookSchema}`,
      scope: 'webhooks:invoke',
      address: `${root}/webhook/${path}`,
      command: curl(`${root}/webhook/${path}`, '{"event":"paid"}'),
    },
    {
      title: t.runAddress,
      text: t.runText,
      scope: 'jobs:run',
      address: `${root}/run/${path}`,
      command: curl(`${root}/run/${path}`, input),
    },
    {
      title: t.waitAddress,
      text: t.waitText,
      scope: 'jobs:run',
      address: `${root}/run/${path}/wait`,
      command: curl(`${root}/run/${path}/wait?timeout_ms=30000`, input),
    },
  ]
  return (
    <div className={styles.guide}>
      <section>
        <p className="quiet">{t.token}</p>
        <CommandLine
          command={`export SVC_TOKEN=$(svc create-token ${ws} ${email} --scope webhooks:invoke --label ${action.key})`}
        />
      </section>
      {ways.map(({ title, text, scope, address, command }) => (
        <section key={title}>
          <h2>
            {title}
            <small>
              {t.needs} <code>{scope}</code>
            </small>
          </h2>
          <p className="quiet">{text}</p>
          <CommandLine command={address} />
          <CommandLine command={command} />
        </section>
      ))}
      <section>
        <h2>{t.cli}</h2>
        <CommandLine command={`svc run ${app}/${action.key} --input ${quoted(input)} --wait`} />
      </section>
    </div>
  )
}
