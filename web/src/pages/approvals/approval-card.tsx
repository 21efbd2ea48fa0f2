/** One waiting run: its requester, deadline, earlier results, and the form to answer. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { AnswerForm } from '../../flow/answer-form.tsx'
import { type Bar, barOf } from '../../flow/may-answer.ts'
import { messages as flowMessages } from '../../flow/messages.ts'
import { Shown } from '../../flow/shown.tsx'
import { CreatorLink } from '../../kit/creator-name.tsx'
import { useMessages } from '../../language/messages.ts'
import { flowRunQuery } from '../../live/queries.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useIdentity } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { JsonView } from '../../ui/code/json-view.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

type Waiting = Schemas['WaitingApproval']

/** The server decides whether a person may answer; this explains why not. */
const whyNot = (
  { may_answer, approved_by, created_by }: Waiting,
  identity: string | null,
): Bar | null => {
  if (may_answer) return null
  const given = { requesters: [created_by], approvers: approved_by, allowSelfApproval: false }
  return barOf(given, identity ?? '') ?? 'own_run'
}

export const ApprovalCard = ({
  approval,
  isOpen,
  onOpen,
}: Readonly<{ approval: Waiting; isOpen: boolean; onOpen: () => void }>) => {
  const t = useMessages(messages)
  const words = useMessages(flowMessages)
  const ws = useWorkspace()
  const identity = useIdentity()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { flow_run_id, app, flow, step, title, approved_by, required_events, expires_at } = approval
  return (
    <article className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title ?? `${app}/${flow}`}{' '}
          <span className={styles.step}>{title === null ? step : `${app}/${flow} ${step}`}</span>
        </h2>
        <Link to="/w/$ws/flow-runs/$id" params={{ ws, id: flow_run_id }} search={{ step }}>
          {t.openRun}
        </Link>
      </header>
      <Shown {...approval} />
      <Facts
        facts={[
          [words.requester, <CreatorLink key="by" of={approval} />],
          [words.since, <TimeAgo key="since" at={approval.waiting_since} />],
          [words.deadline, expires_at === null ? null : <TimeAgo key="until" at={expires_at} />],
          [
            words.approvers,
            required_events === 1 && approved_by.length === 0
              ? null
              : [
                  words.progress(approved_by.length, required_events),
                  approved_by.length === 0 ? '' : words.approvedBy(approved_by.join(', ')),
                ]
                  .join(' ')
                  .trim(),
          ],
        ]}
      />
      {isOpen ? (
        <>
          {approval.show.length === 0 ? <WhatIsAskedFor approval={approval} /> : null}
          <AnswerForm
            runId={flow_run_id}
            step={step}
            form={approval.resume_form}
            bar={whyNot(approval, identity)}
          />
        </>
      ) : (
        <Button
          className={styles.wide}
          onClick={() => {
            // the form replaces this button
            heading.current?.focus({ preventScroll: true })
            onOpen()
          }}
        >
          {t.review}
        </Button>
      )}
    </article>
  )
}

/** If the flow selects no data to show, an approver sees the last result. */
const WhatIsAskedFor = ({ approval }: Readonly<{ approval: Waiting }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const id = approval.flow_run_id
  const { data: run } = useQuery(flowRunQuery(api, ws, id))
  if (run === undefined) return null
  const at = run.steps.findIndex(({ key }) => key === approval.step)
  const before = run.steps.slice(0, at).findLast(({ status }) => status === 'success')
  return (
    <div className={styles.part}>
      <h3>{before === undefined ? t.startInput : `${t.before}: ${before.key}`}</h3>
      <JsonView value={before === undefined ? run.input : before.result} />
    </div>
  )
}
