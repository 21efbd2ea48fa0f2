/** What a run waits for, who may decide, and the form to answer. */
import { Hourglass } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { AnswerForm } from '../../../flow/answer-form.tsx'
import type { FlowDefinition } from '../../../flow/definition.ts'
import { barOf } from '../../../flow/may-answer.ts'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { Shown } from '../../../flow/shown.tsx'
import { CreatorLink } from '../../../kit/creator-name.tsx'
import { useMessages } from '../../../language/messages.ts'
import { SECOND_MS } from '../../../language/units.ts'
import { useIdentity } from '../../../session/session.ts'
import { Facts } from '../../../ui/facts.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from './detail.module.css'
import { messages } from './messages.ts'

export type WaitingCardProps = Readonly<{
  run: Schemas['FlowRunDetail']
  definition: FlowDefinition
}>

export const WaitingCard = ({ run, definition }: WaitingCardProps) => {
  const t = useMessages(messages)
  const words = useMessages(flowMessages)
  const identity = useIdentity()
  const key = run.status === 'waiting_approval' ? run.current_step?.key : undefined
  const step = run.steps.find((each) => each.key === key)
  const approval = definition.steps.find((each) => each.key === key)?.approval ?? null
  if (step === undefined || approval === null || identity === null) return null
  const { started_at, approvals = [], shown } = step
  const approvers = approvals.map(({ approver }) => approver)
  const { allowSelfApproval, requiredEvents, timeoutS } = approval
  const requesters = [run.created_by, run.permissioned_as]
  return (
    <section className={styles.waiting} aria-label={t.waits(step.key)}>
      <h2>
        <Hourglass size={16} aria-hidden="true" />
        {shown?.title ?? t.waits(step.key)}
      </h2>
      {shown === undefined ? null : <Shown {...shown} />}
      <Facts
        facts={[
          [words.requester, <CreatorLink key="by" of={run} />],
          [
            words.approvers,
            `${words.progress(approvals.length, requiredEvents)}${
              approvers.length === 0 ? '' : ` (${words.approvedBy(approvers.join(', '))})`
            }`,
          ],
          [words.mayDecide, allowSelfApproval ? words.whoAll : words.who],
          [words.since, started_at === null ? null : <TimeAgo key="since" at={started_at} />],
          [
            words.deadline,
            timeoutS === null || started_at === null ? (
              words.noDeadline
            ) : (
              <TimeAgo
                key="until"
                at={new Date(Date.parse(started_at) + timeoutS * SECOND_MS).toISOString()}
              />
            ),
          ],
        ]}
      />
      <AnswerForm
        key={step.key}
        runId={run.id}
        step={step.key}
        form={approval.form}
        bar={barOf({ requesters, approvers, allowSelfApproval }, identity)}
      />
    </section>
  )
}
