import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  actions: { en: 'Actions', ko: '액션' },
  functions: { en: 'Functions', ko: '함수' },
  deployed: { en: 'deployed', ko: '배포' },
  neverDeployed: { en: 'Nothing deployed yet', ko: '아직 배포된 것이 없습니다' },
  neverDeployedText: {
    en: 'This app is empty. Deploy to it in one of these ways:',
    ko: '빈 앱입니다. 다음 중 한 가지 방법으로 배포하세요.',
  },
  neverDeployedReader: {
    en: 'This app is empty. A workspace admin can deploy to it.',
    ko: '빈 앱입니다. 워크스페이스 관리자가 배포할 수 있습니다.',
  },
  delete: { en: 'Delete app', ko: '앱 삭제' },
  deleteTitle: {
    en: (app: string) => `Delete ${app}?`,
    ko: (app: string) => `${app} 앱을 삭제할까요?`,
  },
  deleteText: {
    en: 'This deletes its actions, flows, functions and schedules, and its addresses return 404. Queued jobs still run; ended jobs and their logs stay. A git source that contains the app deploys it again at the next sync.',
    ko: '액션, 플로우, 함수, 일정이 삭제되고 해당 주소는 404를 응답합니다. 대기 중인 작업은 그대로 실행되며, 끝난 작업과 로그는 남습니다. 이 앱을 담은 Git 소스는 다음 동기화 때 다시 배포합니다.',
  },
  deleteConfirm: {
    en: (app: string) => `Type ${app} to confirm`,
    ko: (app: string) => `삭제하려면 앱 키 입력: ${app}`,
  },
  deleted: { en: 'App deleted', ko: '앱을 삭제했습니다' },
  notDeleted: { en: 'Could not delete the app', ko: '앱을 삭제하지 못했습니다' },
  // actions
  retry: { en: 'Attempts', ko: '시도' },
  moved: { en: 'differs from the manifest’s tag', ko: '매니페스트의 태그에서 변경됨' },
  anyHost: { en: 'public', ko: '공용' },
  noHost: { en: 'none', ko: '없음' },
  hosts: {
    en: (n: number) => (n === 1 ? '1 host' : `${n} hosts`),
    ko: (n: number) => `호스트 ${n}개`,
  },
  noActions: { en: 'This version has no actions', ko: '이 버전에는 액션이 없습니다' },
  noActionsText: {
    en: 'List them under `actions` in app.yaml, each with a key and an entry point, then deploy again.',
    ko: 'app.yaml의 `actions`에 키와 진입점을 적고 다시 배포하세요.',
  },
  // flows
  noFlows: { en: 'No flows', ko: '플로우가 없습니다' },
  noFlowsText: {
    en: 'A flow chains the actions of the app. Add it under `flows` in app.yaml and deploy again, or begin with an example:',
    ko: '플로우는 앱의 액션을 이어서 실행합니다. app.yaml의 `flows`에 작성하고 다시 배포하거나 예제로 시작하세요.',
  },
  // schedules
  noSchedules: { en: 'No schedules', ko: '일정이 없습니다' },
  noSchedulesText: {
    en: 'A schedule runs an action or a flow of this app at set times.',
    ko: '일정은 정해진 시각에 이 앱의 액션이나 플로우를 실행합니다.',
  },
  // functions
  at: { en: 'Deployed', ko: '배포' },
  description: { en: 'Description', ko: '설명' },
  noFunctions: { en: 'No functions', ko: '함수가 없습니다' },
  noFunctionsText: {
    en: 'A function answers HTTP requests. Its code is functions/<name>/index.ts. In the project folder:',
    ko: '함수는 HTTP 요청에 응답합니다. 코드는 functions/<이름>/index.ts에 둡니다. 프로젝트 폴더에서 실행하세요.',
  },
  // source
  fromGit: { en: 'Deployed from git', ko: 'Git에서 배포됨' },
  byUpload: {
    en: 'This app was uploaded or deployed from a draft. No git source is connected.',
    ko: '업로드하거나 초안에서 배포한 앱입니다. 연결된 Git 소스가 없습니다.',
  },
})
