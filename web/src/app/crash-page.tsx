/** Shown if a page fails or does not exist. */
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { AloneFrame } from './alone-frame.tsx'

const messages = defineMessages({
  crashed: { en: 'This page crashed', ko: '페이지에 오류가 발생했습니다' },
  reload: { en: 'Reload the page', ko: '새로 고침' },
  missing: { en: 'Page not found', ko: '페이지를 찾을 수 없습니다' },
  missingText: {
    en: 'The address may be wrong, or the page was removed.',
    ko: '주소가 잘못되었거나 삭제된 페이지입니다.',
  },
  home: { en: 'Go to home', ko: '처음으로' },
})

/** A page of an older console requests files that a newer version has replaced; reloading it helps. */
export const CrashPage = ({ error }: ErrorComponentProps) => {
  const t = useMessages(messages)
  return (
    <Page title={t.crashed}>
      <ErrorState error={error} title={t.crashed} />
      <p>
        <Button look="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </p>
    </Page>
  )
}

export const MissingPage = () => {
  const t = useMessages(messages)
  return (
    <Page title={t.missing}>
      <EmptyState title={t.missing} text={t.missingText}>
        <Link to="/">{t.home}</Link>
      </EmptyState>
    </Page>
  )
}

/** The missing page outside of a workspace, where no frame provides the main landmark. */
export const MissingAlone = () => (
  <AloneFrame>
    <MissingPage />
  </AloneFrame>
)
