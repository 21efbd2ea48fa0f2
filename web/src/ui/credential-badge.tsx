/** Whether a token or key still works, by icon, word and colour, and until when. */
import { Ban, CircleCheck, ClockAlert } from 'lucide-react'
import { serverNow } from '../browser/server-clock.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { type CredentialState, credentialState, type Ending } from './credential-state.ts'
import styles from './status-badge.module.css'
import { Badge } from './status-badge.tsx'
import { TimeAgo } from './time.tsx'

const messages = defineMessages({
  expired: { en: 'Expired', ko: '만료됨' },
  revoked: { en: 'Revoked', ko: '폐기됨' },
  disabled: { en: 'Disabled', ko: '비활성' },
})

const LOOKS = {
  active: { icon: CircleCheck, tone: styles.good },
  expired: { icon: ClockAlert, tone: styles.waiting },
  revoked: { icon: Ban, tone: styles.neutral },
  disabled: { icon: Ban, tone: styles.bad },
} as const

export const StateBadge = ({ state }: Readonly<{ state: CredentialState | 'disabled' }>) => {
  const t = useMessages(messages)
  return <Badge look={LOOKS[state]}>{t[state]}</Badge>
}

export const CredentialBadge = ({ of }: Readonly<{ of: Ending }>) => (
  <StateBadge state={credentialState(of, serverNow())} />
)

export const Expiry = ({ at }: Readonly<{ at: string | null }>) => {
  const t = useMessages(messages)
  return at === null ? t.never : <TimeAgo at={at} />
}
