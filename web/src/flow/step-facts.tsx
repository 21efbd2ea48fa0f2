/** The facts about a step that its definition contains. */
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/messages.ts'
import { SECOND_MS } from '../language/units.ts'
import { JsonView } from '../ui/code/json-view.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import type { Approval, FlowDefinition, FlowStep } from './definition.ts'
import { messages } from './messages.ts'
import styles from './step-facts.module.css'
import { STEP_KINDS } from './step-kinds.ts'

const Condition = ({ text }: Readonly<{ text: string }>) => <code>{text}</code>

const useApprovalFacts = (): ((approval: Approval) => readonly Fact[]) => {
  const t = useMessages(messages)
  const { number, duration } = useFormat()
  return ({ requiredEvents, timeoutS, allowSelfApproval, form }) => [
    [t.approvers, number(requiredEvents)],
    [t.timeLimit, timeoutS === null ? t.noDeadline : duration(timeoutS * SECOND_MS)],
    [t.self, allowSelfApproval ? t.yes : t.no],
    [
      t.fields,
      form.length === 0
        ? null
        : form
            .map(({ label, type, required }) =>
              [label, type, required ? t.required : null]
                .filter((each) => each !== null)
                .join(', '),
            )
            .join(' · '),
    ],
  ]
}

export const StepFacts = ({
  step,
  definition,
}: Readonly<{ step: FlowStep; definition: FlowDefinition }>) => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  const approvalFacts = useApprovalFacts()
  const isFirst = definition.steps[0]?.key === step.key
  const { takesInput = false, choosesArm = false } = STEP_KINDS[step.kind]
  const facts: readonly Fact[] = [
    [t.runs, step.target === null ? null : <code key="target">{step.target}</code>],
    [t.skipIf, step.skipIf === null ? null : <Condition key="skip" text={step.skipIf} />],
    [
      t.stopAfterIf,
      step.stopAfterIf === null ? null : <Condition key="stop" text={step.stopAfterIf} />,
    ],
    [t.tries, step.maxAttempts > 1 ? step.maxAttempts : null],
    [
      t.items,
      step.items === undefined ? null : typeof step.items === 'string' ? (
        <code key="items">{step.items}</code>
      ) : (
        <JsonView key="items" value={step.items} />
      ),
    ],
    [
      t.arms,
      step.arms.length === 0 ? null : (
        <ul key="arms" className={styles.arms}>
          {step.arms.map(({ key, action, condition }) => (
            <li key={key}>
              <strong>{key}</strong> <code>{action}</code>
              {choosesArm ? (
                <span className="quiet">
                  {condition === null ? t.otherwise : <Condition text={condition} />}
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      ),
    ],
    ...(step.approval === null ? [] : approvalFacts(step.approval)),
    [t.event, step.event === null ? null : <code key="event">{step.event}</code>],
    [t.match, step.match === null ? null : <code key="match">{step.match}</code>],
    [t.waitsFor, step.forS === null ? null : duration(step.forS * SECOND_MS)],
    [t.waitsUntil, step.until === null ? null : <code key="until">{step.until}</code>],
    [
      t.input,
      step.input !== undefined ? (
        <JsonView key="input" value={step.input} />
      ) : takesInput && step.items === undefined ? (
        <span key="input" className="quiet">
          {isFirst ? t.inputOfStart : t.inputOfBefore}
        </span>
      ) : null,
    ],
  ]
  return <Facts facts={facts} />
}
