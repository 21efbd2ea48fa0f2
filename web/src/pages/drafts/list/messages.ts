import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Drafts', ko: '초안' },
  app: { en: 'App', ko: '앱' },
  files: { en: 'Files', ko: '파일' },
  size: { en: 'Size', ko: '크기' },
  by: { en: 'Saved by', ko: '저장한 사람' },
  at: { en: 'Saved', ko: '저장' },
  newDraft: { en: 'New draft', ko: '새 초안' },
  none: { en: 'No drafts', ko: '초안이 없습니다' },
  noneText: {
    en: 'A draft is an app that is written here: its files are edited, checked and deployed in the browser. Nothing that runs changes until it is deployed.',
    ko: '초안은 브라우저에서 작성하는 앱입니다. 파일을 편집하고 검사한 뒤 바로 배포할 수 있으며, 배포하기 전에는 실행 중인 코드가 바뀌지 않습니다.',
  },
  key: { en: 'App', ko: '앱' },
  keyHint: {
    en: 'The key of a new app, or of one that is there: a-z, 0-9 and -.',
    ko: '새 앱 또는 기존 앱의 키입니다. a-z, 0-9, - 만 쓸 수 있습니다.',
  },
  known: {
    en: 'This app is deployed: the draft begins with the files that run now.',
    ko: '이미 배포된 앱입니다. 지금 실행 중인 파일로 초안을 시작합니다.',
  },
  exists: {
    en: 'There is a draft of this app. It is opened as it is.',
    ko: '이 앱의 초안이 이미 있습니다. 그대로 엽니다.',
  },
  create: { en: 'Start', ko: '시작' },
  open: { en: 'Open', ko: '열기' },
  notCreated: { en: 'The draft was not made', ko: '초안을 만들지 못했습니다' },
})
