import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  empty: { en: 'empty', ko: '비어 있음' },
  running: { en: 'Running', ko: '실행 중' },
  failed: { en: 'Failed, 24 h', ko: '실패(24시간)' },
  completed: { en: 'Succeeded, 24 h', ko: '성공(24시간)' },
  newApp: { en: 'New app', ko: '새 앱' },
  fromGit: { en: 'From git', ko: 'Git에서 가져오기' },
  keyHint: {
    en: 'a-z, 0-9 and -. Used in URLs; it cannot be changed.',
    ko: 'a-z, 0-9, -만 쓸 수 있습니다. 주소에 들어가며 바꿀 수 없습니다.',
  },
  create: { en: 'Create', ko: '만들기' },
  notCreated: { en: 'Could not create the app', ko: '앱을 만들지 못했습니다' },
  newText: {
    en: 'Creates an empty app to deploy to. Apps from git or an upload are created automatically.',
    ko: '배포로 채울 빈 앱을 만듭니다. Git이나 업로드로 배포하는 앱은 자동으로 만들어집니다.',
  },
  none: { en: 'No apps yet', ko: '아직 앱이 없습니다' },
  noneText: {
    en: 'An app is a folder with app.yaml, which lists its actions and flows, or with functions. Deploy one in one of these ways:',
    ko: '앱은 액션과 플로우를 적은 app.yaml이나 함수가 들어 있는 폴더입니다. 다음 중 한 가지 방법으로 배포하세요.',
  },
  noneReader: {
    en: 'No app is deployed here yet. A workspace admin can deploy one.',
    ko: '아직 배포된 앱이 없습니다. 워크스페이스 관리자가 배포할 수 있습니다.',
  },
})
