import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  size: { en: 'Size', ko: '크기' },
  by: { en: 'Saved by', ko: '저장한 사람' },
  at: { en: 'Saved', ko: '저장' },
  newDraft: { en: 'New draft', ko: '새 초안' },
  none: { en: 'No drafts', ko: '초안이 없습니다' },
  noneText: {
    en: 'A draft is an app that you write in the browser: edit, check and deploy its files. Nothing that runs changes until you deploy.',
    ko: '초안은 브라우저에서 작성하는 앱입니다. 파일을 편집하고 검사한 뒤 바로 배포할 수 있으며, 배포하기 전에는 실행 중인 코드가 바뀌지 않습니다.',
  },
  key: { en: 'App', ko: '앱' },
  keyHint: {
    en: 'Key of a new or existing app: a-z, 0-9 and -.',
    ko: '새 앱 또는 기존 앱의 키입니다. a-z, 0-9, -만 쓸 수 있습니다.',
  },
  known: {
    en: 'This app is deployed. The draft starts with its current files.',
    ko: '이미 배포된 앱입니다. 지금 실행 중인 파일로 초안을 시작합니다.',
  },
  exists: {
    en: 'This app already has a draft. It opens as it is.',
    ko: '이 앱의 초안이 이미 있습니다. 그대로 엽니다.',
  },
  create: { en: 'Create draft', ko: '초안 만들기' },
  notCreated: { en: 'Could not create the draft', ko: '초안을 만들지 못했습니다' },
})
