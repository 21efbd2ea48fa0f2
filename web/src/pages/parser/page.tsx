import { useMessages } from '../../language/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { messages } from './messages.ts'
import { ReadingView } from './reading-view.tsx'
import { useParse } from './use-parse.ts'

export const ParserPage = () => {
  const t = useMessages(messages)
  const parse = useParse()
  const reading = parse.data
  return (
    <Page
      title={t.title}
      about={reading === undefined ? t.about : reading.file.name}
      actions={
        reading === undefined ? null : <Button onClick={() => parse.reset()}>{t.another}</Button>
      }
    >
      {reading === undefined ? (
        <ChooseFile
          onFile={(file) => parse.mutate(file)}
          isBusy={parse.isPending}
          error={parse.error}
        />
      ) : (
        <ReadingView key={reading.parsed.parsed_at} reading={reading} />
      )}
    </Page>
  )
}
