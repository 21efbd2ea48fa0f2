/**
 * The fields of a form that survive a reload and a new sign-in, as `useKeptState` keeps texts. Never use it for secrets.
 *
 *     const [{ name }, set, forget] = useKeptFields(`new customer ${ws}`, { name: '' })
 */
import { type Fields, fieldsToText, readFields, UNCHANGED } from './kept-fields.ts'
import { useKeptState } from './use-kept-state.ts'

/** @returns the fields, a function that changes some of them, and one that forgets what was typed once it was sent */
export const useKeptFields = <Form extends Fields>(
  subject: string,
  initial: Form,
): readonly [Form, (part: Partial<Form>) => void, () => void] => {
  const [text, setText, forget] = useKeptState(subject, UNCHANGED)
  const fields = readFields(text, initial)
  const set = (part: Partial<Form>): void => setText(fieldsToText({ ...fields, ...part }, initial))
  return [fields, set, forget]
}
