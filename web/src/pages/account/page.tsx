import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { meQuery, whoamiQuery, workspacesQuery } from '../../session/session.ts'
import { Card, Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'
import { TwoFactor, twoFactorQuery } from './two-factor.tsx'

export const AccountPage = () => {
  const t = useMessages(messages)
  // empty for a person without a workspace
  const ws = useWorkspace()
  const { data: me } = useQuery(meQuery)
  const { data: own } = useQuery(whoamiQuery(ws))
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const { data: factor } = useQuery(twoFactorQuery)
  const role = own?.role ?? null
  return (
    <Page title={t.account}>
      <div className={styles.page}>
        <Card title={t.you}>
          <Facts
            facts={[
              [t.email, me?.email ?? null],
              [t.role, role === null ? null : t[role]],
              [t.superAdmin, me?.super_admin === true ? '✓' : null],
              [
                t.workspaces,
                workspaces.length === 0 ? null : (
                  <ul key="workspaces">
                    {workspaces.map(({ id, role: there }) => (
                      <li key={id}>
                        <Link to="/w/$ws" params={{ ws: id }}>
                          {id}
                        </Link>{' '}
                        ({t[there]})
                      </li>
                    ))}
                  </ul>
                ),
              ],
            ]}
          />
        </Card>
        <Card title={t.sessions}>
          <SessionList />
        </Card>
        <Card title={t.twoFactor}>
          <TwoFactor />
        </Card>
        {factor?.has_password === false ? null : (
          <Card title={t.password}>
            <PasswordForm email={me?.email ?? ''} />
          </Card>
        )}
      </div>
    </Page>
  )
}
