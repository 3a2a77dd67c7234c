//! A connection on which the progress of calls is seen in the order in which it came.
//!
//! rmcp hands each notification to a task of its own, so that one may overtake another, or the result: here they are taken on
//! the way.

use std::borrow::Cow;
use std::collections::HashMap;

use rmcp::RoleClient;
use rmcp::model::{
    ClientRequest, GetExtensions as _, GetMeta as _, JsonRpcMessage, ProgressNotificationParam, ProgressToken,
    ServerNotification,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;

/// What a request carries (in this process only) to be told of its progress.
pub(crate) type Told = mpsc::Sender<ProgressNotificationParam>;

pub(crate) struct Watched<T> {
    inner: T,
    calls: HashMap<ProgressToken, Told>,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T) -> Self {
        Watched { inner, calls: HashMap::new() }
    }

    fn note_request(&mut self, request: &ClientRequest) {
        if let (Some(told), Some(token)) = (request.extensions().get::<Told>(), request.get_meta().get_progress_token())
        {
            self.calls.retain(|_, told| !told.is_closed());
            self.calls.insert(token, told.clone());
        }
    }

    /// Whether it was progress, and is told. Of a server that says more than is read, some is dropped: each item stands for
    /// what is to be seen at the time, and one call must not hold up the others.
    fn note_progress(&self, message: &RxJsonRpcMessage<RoleClient>) -> bool {
        let JsonRpcMessage::Notification(notification) = message else { return false };
        let ServerNotification::ProgressNotification(progress) = &notification.notification else { return false };
        let Some(told) = self.calls.get(&progress.params.progress_token) else { return false };
        let _ = told.try_send(progress.params.clone());
        true
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &item {
            self.note_request(&request.request);
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await?;
        // rmcp sees it as well: a call's time limit counts from the last sign of life.
        self.note_progress(&message);
        Some(message)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
