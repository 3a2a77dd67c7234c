//! Gemini's `generateContent` and `streamGenerateContent`: responses, and the contents of a conversation; members are spelt
//! in camel or in snake case, as the SDKs do.
//!
//! Most calls come whole in one part and have no id: their results belong to them by name and order.

use alloc::borrow::Cow;
use alloc::string::String;

use super::asked::Asked;
use super::gemini_args::ArgsWriter;
use super::{Out, given, pick, text, words};
use crate::event::{Phase, Status};
use crate::json::{JsonType, JsonView};

#[derive(Default)]
pub(super) struct Gemini {
    asked: Asked,
    /// The response that the latest chunk belongs to.
    response: String,
    /// Whether that response has calls.
    has_calls: bool,
    /// The call whose arguments are streaming.
    streaming: Option<Streaming>,
}

struct Streaming {
    id: String,
    /// The id that the source gives it.
    given: Option<String>,
    writer: ArgsWriter,
}

impl Gemini {
    pub(super) fn read<V: JsonView>(&mut self, message: &V, out: &mut Out<'_, V>) {
        let keys = ["candidates", "contents", "parts", "response", "responseId", "response_id", "error"];
        let [candidates, contents, parts, inner, id, snake_id, error] = pick(message, keys);
        // What wraps responses: Code Assist, and recordings, which have lists of them.
        if let (None, Some(inner)) = (&candidates, inner) {
            match inner.json_type() {
                JsonType::Array => inner.items().for_each(|response| self.response(&response, out)),
                _ => self.response(&inner, out),
            }
            return;
        }
        if let Some(id) = text(&id).or_else(|| text(&snake_id)).filter(|id| *id != self.response) {
            self.response = id.into_owned();
            self.has_calls = false;
            self.streaming = None;
        }
        if candidates.is_some() {
            self.response(message, out);
        } else if let Some(contents) = contents {
            contents.items().for_each(|content| self.content(&content, out));
            self.has_calls = false;
        } else if parts.is_some() {
            self.content(message, out);
            self.has_calls = false;
        } else if given(error).is_some() {
            self.clear();
            out.end(None, false);
        } else {
            self.part(message, 0, out);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Gemini::default();
    }

    fn response<V: JsonView>(&mut self, response: &V, out: &mut Out<'_, V>) {
        let [candidates] = pick(response, ["candidates"]);
        for candidate in candidates.iter().flat_map(V::items) {
            let [content, reason, snake] = pick(&candidate, ["content", "finishReason", "finish_reason"]);
            if let Some(content) = content {
                self.content(&content, out);
            }
            let Some(reason) = text(&reason).or_else(|| text(&snake)) else { continue };
            self.streaming = None;
            // With calls in it, a response that stopped of itself waits for their results.
            let goes_on = reason == "STOP" && core::mem::take(&mut self.has_calls);
            if !goes_on {
                self.clear();
                out.end(None, false);
            }
        }
    }

    fn content<V: JsonView>(&mut self, content: &V, out: &mut Out<'_, V>) {
        let [parts] = pick(content, ["parts"]);
        for (number, part) in parts.iter().flat_map(V::items).enumerate() {
            self.part(&part, number, out);
        }
    }

    fn part<V: JsonView>(&mut self, part: &V, number: usize, out: &mut Out<'_, V>) {
        let call = either(part, ["functionCall", "function_call"]);
        let response = either(part, ["functionResponse", "function_response"]);
        let code = either(part, ["executableCode", "executable_code"]);
        let result = either(part, ["codeExecutionResult", "code_execution_result"]);
        if let Some(call) = call {
            self.call(&call, number, out);
        } else if let Some(response) = response {
            self.answer(&response, number, out);
        } else if let Some(code) = code {
            let [id] = pick(&code, ["id"]);
            let id = self.asked.ask(text(&id).as_deref(), CODE, || out.made_id(CODE, number));
            let mut event = out.event(id, Phase::Started);
            event.name = Some(Cow::Borrowed(CODE));
            event.raw_input = Some(code).into();
            out.send(event);
        } else if let Some(result) = result {
            let [id, outcome, output] = pick(&result, ["id", "outcome", "output"]);
            let mut event = self.ended(text(&id), CODE, number, out);
            if text(&outcome).is_some_and(|outcome| !outcome.ends_with("OK")) {
                event.status = Some(Status::Failed);
                event.error = output.as_ref().and_then(words).map(Cow::Owned);
            }
            out.send(event);
        }
    }

    fn call<V: JsonView>(&mut self, call: &V, number: usize, out: &mut Out<'_, V>) {
        self.has_calls = true;
        let keys = ["id", "name", "args", "partialArgs", "partial_args", "willContinue", "will_continue"];
        let [id, name, args, partial, snake_partial, more, snake_more] = pick(call, keys);
        let (id, name) = (text(&id), text(&name));
        let partial = given(partial).or(given(snake_partial));
        let continues = more.or(snake_more).is_some_and(|more| more.as_bool() == Some(true));
        let known = self
            .streaming
            .as_ref()
            .is_some_and(|streaming| name.is_none() || id.is_some() && streaming.given.as_deref() == id.as_deref());
        let streams = continues || partial.is_some();
        // The stream was joined in the middle of a call.
        let unknown = !known && name.is_none() && id.is_none();
        let phase = if known || unknown { Phase::Updated } else { Phase::Started };
        if !known {
            let made = || out.made_id(name.as_deref().unwrap_or_default(), number);
            let event_id = self.asked.ask(id.as_deref(), name.as_deref().unwrap_or_default(), made);
            let (given, writer) = (id.map(Cow::into_owned), ArgsWriter::default());
            self.streaming = Some(Streaming { id: event_id, given, writer });
        }
        let Some(streaming) = &mut self.streaming else { return };
        let mut event = out.event(streaming.id.clone(), phase);
        event.name = name.filter(|_| !known);
        event.raw_input = given(args).into();
        if known || streams {
            let mut delta: String =
                partial.iter().flat_map(V::items).map(|arg| piece(&arg, &mut streaming.writer)).collect();
            if !continues && event.raw_input.set().is_none() {
                delta.push_str(&streaming.writer.finish());
            }
            event.delta = (!known || !delta.is_empty()).then_some(Cow::Owned(delta));
        }
        if !continues {
            self.streaming = None;
        }
        if !known || event.delta.is_some() || event.raw_input.set().is_some() {
            out.send(event);
        }
    }

    fn answer<V: JsonView>(&mut self, response: &V, number: usize, out: &mut Out<'_, V>) {
        let [id, name, response] = pick(response, ["id", "name", "response"]);
        let mut event = self.ended(text(&id), &text(&name).unwrap_or_default(), number, out);
        event.name = text(&name);
        // By convention; there is no flag.
        if let Some(error) = response.and_then(|response| given(response.get("error"))) {
            event.status = Some(Status::Failed);
            event.error = words(&error).map(Cow::Owned);
        }
        out.send(event);
    }

    fn ended<'e, V: JsonView>(
        &mut self,
        id: Option<Cow<'_, str>>,
        name: &str,
        number: usize,
        out: &Out<'_, V>,
    ) -> crate::ToolCallEvent<'e, V> {
        let call = self.asked.answer(id.as_deref(), Some(name));
        let id = call.or(id.map(Cow::into_owned)).unwrap_or_else(|| out.made_id(name, number));
        let mut event = out.event(id, Phase::Finished);
        event.status = Some(Status::Completed);
        event
    }
}

/// The name for the service's own tool that runs code.
const CODE: &str = "code_execution";

fn either<V: JsonView>(view: &V, keys: [&str; 2]) -> Option<V> {
    let [camel, snake] = pick(view, keys);
    given(camel).or(given(snake))
}

/// The text for one of `partialArgs`.
fn piece<V: JsonView>(arg: &V, writer: &mut ArgsWriter) -> String {
    let keys = ["jsonPath", "json_path", "stringValue", "string_value", "willContinue", "will_continue"];
    let [path, snake_path, string, snake_string, more, snake_more] = pick(arg, keys);
    let path = text(&path).or_else(|| text(&snake_path)).unwrap_or_default();
    let continues = more.or(snake_more).is_some_and(|more| more.as_bool() == Some(true));
    if let Some(piece) = given(string).or(given(snake_string)) {
        return writer.string(&path, &piece.as_str().unwrap_or_default(), continues);
    }
    let keys = ["numberValue", "number_value", "boolValue", "bool_value", "nullValue", "null_value"];
    let [number, snake_number, bool, snake_bool, null, snake_null] = pick(arg, keys);
    let value = given(number).or(given(snake_number)).or(given(bool)).or(given(snake_bool));
    match value.filter(|value| matches!(value.json_type(), JsonType::Number | JsonType::Bool)) {
        Some(value) => writer.value(&path, &value.to_text()),
        None if null.is_some() || snake_null.is_some() => writer.value(&path, "null"),
        None => String::new(),
    }
}
