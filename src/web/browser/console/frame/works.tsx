import { Progress } from "../components/progress.tsx";
import { works } from "../state/works.ts";
import { frameStrings as words } from "./strings.ts";

/** How far the changes of many things are, among the messages: they go on in every view. */
export const Works = () => (
  <>
    {works.value.map(({ id, title, done, all, stop }) => (
      <div key={id} class="toast work">
        <span>{title}</span>
        <Progress label={title} value={done} max={all}>
          {words.doneOf(done, all)}
        </Progress>
        <button type="button" onClick={stop}>
          {words.stop}
        </button>
      </div>
    ))}
  </>
);
