/** A change that a person makes at the server: what shows it is read anew, and a refusal is said in the server's words. */
import { useMutation } from '@tanstack/react-query'
import { useErrorSentence } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'

export type ChangeOptions<Wish, Answer> = Readonly<{
  change: (wish: Wish) => Promise<Answer>
  /** Query keys, by their beginnings, that are read anew. */
  touches: readonly (readonly unknown[])[]
  /** Said when it is done; left out where the page shows it by itself. */
  done?: string
  /** Said above the server's sentence. Left out: whoever calls shows `error` beside its form. */
  failed?: string
  onDone?: (answer: Answer) => void
}>

export type Change<Wish, Answer> = Readonly<{
  run: (wish: Wish) => void
  isBusy: boolean
  error: Error | null
  /** Forgets answer and error. */
  reset: () => void
  /** What the server answered: kept nowhere else, and gone with the component. */
  answer: Answer | undefined
}>

export const useChange = <Wish, Answer>(
  options: ChangeOptions<Wish, Answer>,
): Change<Wish, Answer> => {
  const { change, touches, done, failed, onDone } = options
  const sentence = useErrorSentence()
  const mutation = useMutation({
    mutationFn: change,
    // answers may hold what is shown once
    gcTime: 0,
    onSuccess: (answer) => {
      if (done !== undefined) announce({ title: done })
      onDone?.(answer)
    },
    onError: (error) => {
      if (failed !== undefined) announce({ tone: 'bad', title: failed, text: sentence(error) })
    },
    onSettled: () => {
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return {
    run: (wish) => mutation.mutate(wish),
    isBusy: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
    answer: mutation.data,
  }
}
