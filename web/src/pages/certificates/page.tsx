import { getRouteApi, Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useMessages } from '../../language/messages.ts'
import { useMay } from '../../session/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { Card } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/certificates')

/** The relay's own page is outside of the console, because the sender of a certificate has no account here. */
const DESKTOP_PAGE = '/certificates'

export const CertificatesPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const may = useMay()
  return (
    <Page
      title={t.certificateRelay}
      about={t.about}
      actions={
        <a
          href={DESKTOP_PAGE}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('primary')}
          title={t.newTab}
        >
          {t.open}
          <ExternalLink size={15} aria-label={t.newTab} />
        </a>
      }
    >
      <div className="reading">
        <Card title={t.how}>
          <ol className={styles.steps}>
            <li>{t.one}</li>
            <li>{t.two}</li>
            <li>{t.three}</li>
          </ol>
        </Card>
        <Card title={t.address}>
          <CommandLine command={`${location.origin}${DESKTOP_PAGE}`} />
        </Card>
        <Card
          title={t.session}
          actions={
            may('*') ? (
              <Link to="/w/$ws/api-keys" params={{ ws }}>
                {t.keys}
              </Link>
            ) : null
          }
        >
          <CommandLine
            command={`curl -X POST ${location.origin}/v2/certificates/session -H "authorization: Bearer $SVC_API_KEY"`}
          />
        </Card>
      </div>
    </Page>
  )
}
