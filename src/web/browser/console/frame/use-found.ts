import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Found, findCommands, findRecords } from "./found.ts";

/** The server is asked when nothing was typed for this long. */
const pauseMs = 150;

/** What fits what is typed: commands at once, then the documents and chats that the server finds. */
export const useFound = (typed: ReadonlySignal<string>): ReadonlySignal<readonly Found[]> => {
  const { route } = useLocation();
  const records = useSignal<readonly Found[]>([]);
  useEffect(() => {
    const text = typed.value.trim();
    const stop = new AbortController();
    if (text === "") records.value = [];
    const timer = setTimeout(() => {
      if (text === "") return;
      findRecords(text, route, stop.signal).then(
        (list) => {
          records.value = list;
        },
        () => {},
      );
    }, pauseMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [typed.value]);
  return useComputed(() => [...findCommands(typed.value.trim()), ...records.value]);
};
